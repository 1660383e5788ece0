#include "vm/session/session_draft.hpp"

#include "vm/base/value_text.hpp"
#include "vm/objects/object_listing.hpp"

#include "base/error.hpp"
#include "io/image_file.hpp"
#include "labels/label_journal.hpp"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>

namespace pollard::vm {
namespace {

std::vector<std::uint32_t> pixelsOf(const ComponentTree& tree, const NodeSet& nodes) {
    std::vector<std::uint32_t> pixels;
    pixels.reserve(nodes.size());
    for (const std::uint32_t node : nodes) {
        pixels.push_back(tree.canonical[node]);
    }
    std::ranges::sort(pixels);
    return pixels;
}

struct Texts {
    Q_DECLARE_TR_FUNCTIONS(WorkSummary)
};

std::size_t startedContours(const std::vector<SessionRun>& runs) {
    std::size_t contours = 0;
    for (const SessionRun& run : runs) {
        const bool isBranch = run.parent != 0 && std::ranges::any_of(runs, [&run](const SessionRun& other) {
                                  return other.page == run.page && other.id == run.parent;
                              });
        contours += isBranch ? 0 : run.starts.size();
    }
    return contours;
}

constexpr std::string_view kJournalSuffix = ".edits-";

bool demands(const CriterionEntry& criterion) { return criterion.enabled && !criterion.bounds().isEmpty(); }

} // namespace

std::optional<FileFingerprint> CachedFingerprint::of(const std::filesystem::path& path, const JobControl& control) {
    std::error_code problem;
    const auto bytes = std::filesystem::file_size(path, problem);
    if (problem) {
        return std::nullopt;
    }
    const auto changed = std::filesystem::last_write_time(path, problem);
    const std::lock_guard lock(mutex_);
    if (!fingerprint_ || path != path_ || bytes != bytes_ || changed != changed_) {
        fingerprint_.reset();
        try {
            fingerprint_ = fingerprintOf(path, control);
        } catch (const Error&) {
            return std::nullopt;
        }
        path_ = path;
        bytes_ = bytes;
        changed_ = changed;
    }
    return fingerprint_;
}

SavedSession finished(const SessionDraft& draft, const std::filesystem::path& target, CachedFingerprint& fingerprint,
                      const JobControl& control) {
    SavedSession session = draft.session;
    setPlace(session.image, draft.image, target);
    if (const auto known = fingerprint.of(draft.image, control)) {
        session.image.bytes = known->bytes;
        session.image.hash = hashText(*known);
    }
    session.contours = finished(draft.contours, control);
    if (draft.edited) {
        const Components& objects = draft.edited->components;
        session.edited = LabelRuns::of(objects.labels.span(), objects.extent());
        for (std::size_t i = 0; i < session.edited->runs.size(); i += 2) {
            session.edited->runs[i] = objects.numberOf(session.edited->runs[i]);
        }
    }
    if (draft.removed) {
        session.removed = {draft.removed->size(), labelsOf(draft.removed)};
    }
    if (draft.tree) {
        session.selected = pixelsOf(*draft.tree, *draft.selected);
        for (const auto& [name, nodes] : draft.named) {
            session.selections.push_back({name, pixelsOf(*draft.tree, *nodes)});
        }
    }
    return session;
}

std::filesystem::path journalOf(const std::filesystem::path& session, int number) {
    std::filesystem::path path = session;
    return path.replace_extension(std::string(kJournalSuffix) + std::to_string(number));
}

std::map<int, std::filesystem::path> journalsOf(const std::filesystem::path& session) {
    std::map<int, std::filesystem::path> journals;
    std::error_code problem;
    for (const auto& entry : std::filesystem::directory_iterator(session.parent_path(), problem)) {
        const std::string suffix = entry.path().extension().string();
        int number = 0;
        if (entry.path().stem() == session.stem() && suffix.starts_with(kJournalSuffix)) {
            std::from_chars(suffix.data() + kJournalSuffix.size(), suffix.data() + suffix.size(), number);
            journals.emplace(number, entry.path());
        }
    }
    return journals;
}

void removeJournals(const std::filesystem::path& session, int before) {
    for (const auto& [number, path] : journalsOf(session)) {
        std::error_code problem;
        if (number < before) {
            std::filesystem::remove(path, problem);
        }
    }
}

void replayJournals(SavedSession& session, const std::filesystem::path& file) {
    if (!session.edited) {
        return;
    }
    std::size_t edits = 0;
    for (const auto& [number, path] : journalsOf(file)) {
        std::ifstream stream(path, std::ios::binary);
        const std::string journal((std::istreambuf_iterator<char>(stream)), {});
        edits += replayJournal(journal, *session.edited);
    }
    if (edits != 0) {
        session.removed = {}; // an edit deletes removed objects first
    }
}

FoundImage findImage(const SessionImage& image, const std::vector<std::filesystem::path>& places,
                     CachedFingerprint& fingerprint, const JobControl& control) {
    FoundImage found;
    for (const std::filesystem::path& place : places) {
        std::error_code problem;
        if (!std::filesystem::is_regular_file(place, problem) && !isZarrFolder(place)) {
            continue;
        }
        const bool sized = image.hash.empty() || std::filesystem::file_size(place, problem) == image.bytes;
        const auto content = sized && !image.hash.empty() ? fingerprint.of(place, control) : std::nullopt;
        if (image.hash.empty() || (content && hashText(*content) == image.hash)) {
            return {place, true};
        }
        if (found.path.empty()) {
            found = {place, false};
        }
    }
    return found;
}

WorkSummary WorkSummary::of(const SavedSession& session) {
    WorkSummary summary;
    summary.contours = startedContours(session.contours.runs);
    summary.regions = session.region.shapes.size();
    summary.criteria = static_cast<std::size_t>(std::ranges::count_if(session.filter.criteria.entries, demands)) +
                       (session.filter.forest.trees.empty() ? 0 : 1);
    summary.earlier = session.earlier.size();
    summary.picks = session.filter.picks.size();
    summary.selections = session.selections.size();
    summary.selected = session.selected.size();
    summary.removed = session.removed.labels.size();
    summary.edited = session.edited.has_value();
    return summary;
}

WorkSummary WorkSummary::of(const SessionDraft& draft) {
    WorkSummary summary = of(draft.session);
    summary.contours = startedContours(draft.contours.contours.runs);
    if (draft.removed) {
        summary.removed =
            static_cast<std::size_t>(std::ranges::count_if(*draft.removed, [](std::uint8_t out) { return out != 0; }));
    }
    summary.edited = summary.edited || draft.edited;
    if (draft.tree) {
        summary.selections = draft.named.size();
        summary.selected = draft.selected ? draft.selected->size() : 0;
    }
    return summary;
}

QString WorkSummary::text() const {
    QStringList parts;
    const auto add = [&parts](std::size_t count, const QString& one, const QString& several) {
        if (count > 0) {
            parts << (count == 1 ? one : several.arg(countText(count)));
        }
    };
    add(contours, Texts::tr("1 contour"), Texts::tr("%1 contours"));
    add(regions, Texts::tr("1 region"), Texts::tr("%1 regions"));
    add(criteria, Texts::tr("a filter of 1 criterion"), Texts::tr("a filter of %1 criteria"));
    add(earlier, Texts::tr("1 earlier filter"), Texts::tr("%1 earlier filters"));
    add(picks, Texts::tr("1 picked component"), Texts::tr("%1 picked components"));
    add(selections, Texts::tr("1 named selection"), Texts::tr("%1 named selections"));
    add(selected, Texts::tr("1 selected component"), Texts::tr("%1 selected components"));
    add(removed, Texts::tr("1 removed object"), Texts::tr("%1 removed objects"));
    if (edited) {
        parts << Texts::tr("objects edited by hand");
    }
    return parts.isEmpty() ? Texts::tr("settings") : parts.join(QStringLiteral(", "));
}

} // namespace pollard::vm
