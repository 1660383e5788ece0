#pragma once

#include <QString>

namespace pollard::vm {

/// How to cite the program, as a sentence.
[[nodiscard]] QString citationText(const QString& version);

/// The same as an entry for BibTeX.
[[nodiscard]] QString citationBibTex(const QString& version);

} // namespace pollard::vm
