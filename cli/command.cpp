#include "command.hpp"

namespace pollard::cli {

void printJson(std::ostream& out, const Json& object) {
    out << object.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void printNote(const Context& context, const std::string& text) {
    if (!context.common.quiet) {
        context.err << context.program << ": note: " << text << '\n';
    }
}

} // namespace pollard::cli
