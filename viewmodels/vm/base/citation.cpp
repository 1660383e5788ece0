#include "vm/base/citation.hpp"

namespace pollard::vm {

QString citationText(const QString& version) {
    return QStringLiteral("Pollard contributors. Pollard: interactive mathematical morphology on component trees. "
                          "Version %1, 2026. Free software, GPL-3.0-or-later.")
        .arg(version);
}

QString citationBibTex(const QString& version) {
    return QStringLiteral("@software{pollard,\n"
                          "  author  = {{Pollard contributors}},\n"
                          "  title   = {Pollard: interactive mathematical morphology on component trees},\n"
                          "  version = {%1},\n"
                          "  year    = {2026},\n"
                          "  license = {GPL-3.0-or-later}\n"
                          "}\n")
        .arg(version);
}

} // namespace pollard::vm
