"""Training and evaluating the models of learning: annotated pages in, figures and model files out."""
