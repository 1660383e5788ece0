// Any text as a criterion of the filter, as an expression of channels, as a selection of pages and as bounds of values:
// an error, or one whose text form parses to the same.
#include "base/error.hpp"
#include "channels/derivation.hpp"
#include "components/objects/object_rule.hpp"
#include "filter/filter_spec.hpp"
#include "io/page_selection.hpp"

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const pollard::Criterion criterion = pollard::parseCriterion(text);
        const std::string canonical = pollard::toString(criterion);
        if (!(pollard::parseCriterion(canonical) == criterion)) {
            std::cerr << "broken promise: '" << canonical << "' reads back to another criterion\n";
            std::abort();
        }
    } catch (const pollard::Error&) { // not a criterion
    }
    try {
        const pollard::Derivation derivation = pollard::Derivation::parse(text);
        if (!(pollard::Derivation::parse(derivation.text()) == derivation)) {
            std::cerr << "broken promise: '" << derivation.text() << "' reads back to another expression\n";
            std::abort();
        }
    } catch (const pollard::Error&) { // not an expression
    }
    try {
        const pollard::PageSelection selection = pollard::parseSelection(text);
        const std::string canonical = pollard::toString(selection);
        if (!(pollard::parseSelection(canonical) == selection)) {
            std::cerr << "broken promise: '" << canonical << "' reads back to another selection\n";
            std::abort();
        }
    } catch (const pollard::Error&) { // not a selection
    }
    try {
        if (const auto bounds = pollard::parseValueBounds(text)) {
            const std::string canonical = pollard::boundsText(*bounds);
            if (!(pollard::parseValueBounds(canonical) == bounds)) {
                std::cerr << "broken promise: '" << canonical << "' reads back to other bounds\n";
                std::abort();
            }
        }
    } catch (const pollard::Error&) { // no bounds
    }
    return 0;
}
