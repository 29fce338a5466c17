"""Pages that hold everything they show: the viewer with its tables, opened from a file without server or network."""
