"""Is the shuffle fair? Statistical tests of many decks, and biases planted to see whether they are found."""
