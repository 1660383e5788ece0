#pragma once

#include "vm/document/page_filter.hpp"

#include "components/components.hpp"
#include "components/objects/object_rule.hpp"
#include "engine/engine.hpp"

#include <functional>

namespace pollard::vm {

/// The pages of a file whose objects are to be followed.
struct FollowedPages {
    PageFilter filter;
    Engine* engine = nullptr; ///< replaced by the CPU if its device fails
    int pages = 1;
    ObjectRule rule;
    bool filtered = false; ///< the filtered pages; else the pages as read
};

/// Finds the objects of all pages, one after another; grey levels are those of the pages as read.
/// @param take called with the objects of each page, in order
/// @throws Error naming the page that failed; Error(outOfMemory) before a filtered page that needs more memory than
/// available; Cancelled
void findOnPages(const FollowedPages& pages, const std::function<void(Components)>& take, const JobContext& context);

} // namespace pollard::vm
