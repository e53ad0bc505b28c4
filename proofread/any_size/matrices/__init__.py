"""Words of matrices: their normal form, their inverses, their entries, and means of normal vectors."""
