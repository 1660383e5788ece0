#include "vm/document/page_filter.hpp"

namespace pollard::vm {

bool PageFilter::filtersAs(const PageFilter& other) const {
    return stack.sameStack(other.stack) && tree.spec == other.tree.spec && tree.domain == other.tree.domain &&
           effectiveStages(tree.earlier) == effectiveStages(other.tree.earlier) && tree.filter == other.tree.filter;
}

} // namespace pollard::vm
