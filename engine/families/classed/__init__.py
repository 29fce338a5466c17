"""The family of jobs whose times depend on their class and on the machine or cluster that runs them."""
