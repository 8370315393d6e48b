"""The parts of `tf.__internal__` that Keras 2 and other libraries take."""
