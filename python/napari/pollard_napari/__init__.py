"""napari plugin of Pollard: filters images by attributes of the components of their max-tree."""
