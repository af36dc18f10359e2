"""Attributes that were renamed: the old name works with a warning until the next version."""

import warnings


def renamed_to(name: str) -> property:
    """Return a property for the old name of `name`, an attribute that is true or false."""

    def read(owner: object) -> bool:
        warnings.warn(f"this attribute is now {type(owner).__name__}.{name}", DeprecationWarning, stacklevel=2)
        return bool(getattr(owner, name))

    return property(read)
