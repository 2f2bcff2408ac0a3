"""What is promised of the box of other people's tools, with real servers of them."""
