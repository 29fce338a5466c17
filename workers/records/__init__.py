"""The records of a laboratory: one relational database, and immutable blobs beside it."""
