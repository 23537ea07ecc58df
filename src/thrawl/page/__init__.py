"""What one page shows. Pure functions, no I/O."""
