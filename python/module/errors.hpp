#pragma once

namespace pollard::python {

/// Makes Python exceptions of the errors of the library, with the same line of text: ValueError, MemoryError,
/// FileNotFoundError, OSError or RuntimeError.
void translateErrors();

} // namespace pollard::python
