"""Gates for other people's CI: the examples, the images, the mirror, releases."""
