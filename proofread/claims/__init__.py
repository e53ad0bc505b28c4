"""What an author writes: definitions, derivations and the like, each displayed after it was checked."""
