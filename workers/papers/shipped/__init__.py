"""Results of the papers as the package brings them: numbers only, `shadowtime paper NAME --ship DIR` writes them."""
