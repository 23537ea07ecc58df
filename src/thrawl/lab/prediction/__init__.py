"""The experiment of the thread-update report: predictors of a thread's next post, compared at equal cost."""
