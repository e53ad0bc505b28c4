"""What one chapter needs and nobody else: ``softmaxnotes.experiments.PART.CHAPTER`` has the models, worlds,
data, training loops and geometry of figures of the chapter ``book/PART/CHAPTER.md``.

They are installed and tested with the package, but are no part of its library.
"""
