"""Predictors of a thread's next post: the models of the thread-update report, and ours (`registry` names them)."""
