"""What a formula is: nodes as they are typed, the plain expressions that they stand for, and statements."""
