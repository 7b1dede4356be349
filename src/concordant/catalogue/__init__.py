"""What an index is: its declaration, its parameters, how it is spelled, and which to choose."""
