"""What is published can be selected with CEL, allocated and prepared."""
