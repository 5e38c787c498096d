"""The public index: reports that people send in, checked, and the static site that is made of them."""
