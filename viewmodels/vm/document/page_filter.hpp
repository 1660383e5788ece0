#pragma once

#include "vm/document/document_services.hpp"
#include "vm/document/job_types.hpp"
#include "vm/picture/open_request.hpp"

namespace pollard::vm {

/// How a document filters the page that it shows: what DocumentJobs::filterPage() needs to filter others in the same
/// way, on another thread.
struct PageFilter {
    DocumentServices services;
    OpenRequest stack; ///< whatever its page
    LoadRules rules;
    TreeRequest tree; ///< without components that were picked by hand, which are of the one page

    /// Whether the pages of both become the same pictures.
    [[nodiscard]] bool filtersAs(const PageFilter& other) const;
};

} // namespace pollard::vm
