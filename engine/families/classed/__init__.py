"""Jobs of classes whose times depend on the machine or cluster that runs them."""
