"""What every package uses: results, options, words, kinds, lazy imports."""
