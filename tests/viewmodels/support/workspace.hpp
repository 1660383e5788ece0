#pragma once

#include "vm/batch/overview.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/labels/label_edit_view_model.hpp"
#include "vm/labels/score_view_model.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/region/region_view_model.hpp"
#include "vm/session/edit_history.hpp"
#include "vm/session/session_view_model.hpp"
#include "vm/tree/node_selection.hpp"

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#include "wait.hpp"

#include <QSignalSpy>

#include <atomic>
#include <cstdint>

namespace pollard::testing {

/// The models of a session with the real engine and files.
struct Workspace {
    EngineRegistry registry{makeCpuEngine()};
    std::atomic<std::uint64_t> availableMemory = std::uint64_t{1} << 50U; ///< reported to the document
    vm::DocumentViewModel document{services()};
    vm::DisplayViewModel display{document};
    vm::FilterViewModel filter{document};
    vm::Overview overview{document, display, filter};
    vm::NodeSelection selection{document};
    vm::RegionViewModel region{document};
    vm::ObjectsViewModel objects{document};
    vm::ObjectTableModel table{objects};
    vm::LabelEditViewModel labelEdits{objects, table};
    vm::ScoreViewModel score{document, table};
    vm::ContourViewModel contours{document};
    vm::EditHistory history{{document, filter, selection, region, objects, table, &contours, &labelEdits}};
    vm::SessionViewModel sessions{{document, display, filter, selection, region, objects, table, contours, history,
                                   nullptr, nullptr, &labelEdits, &score}};

    [[nodiscard]] bool rests() {
        return eventually([&] {
            const auto listing = table.listing();
            const bool objectsRest = objects.state() != vm::ObjectsViewModel::State::computing && !table.isListing() &&
                                     (listing ? listing->found : nullptr) == objects.objects();
            return !sessions.isOpening() && !document.activity().isBusy() && !document.activity().isFiltering() &&
                   (!document.hasImage() || document.result()) && !region.isBusy() && objectsRest &&
                   !contours.isComputing() && !contours.playback().isPlaying() && !history.awaitedSelections();
        });
    }
    [[nodiscard]] bool open(const QString& image, int page = 0) {
        document.open(image, page);
        return rests() && document.hasImage();
    }
    /// @return whether it was written
    [[nodiscard]] bool save(const QString& path) {
        QSignalSpy saved(&sessions, &vm::SessionViewModel::saved);
        QSignalSpy failed(&sessions, &vm::SessionViewModel::failed);
        sessions.save(path);
        return eventually([&] { return !saved.isEmpty() || !failed.isEmpty(); }) && failed.isEmpty();
    }
    [[nodiscard]] vm::DocumentServices services() {
        vm::DocumentServices services = vm::DocumentServices::standard(registry);
        services.availableMemory = [this] { return availableMemory.load(); };
        return services;
    }
    /// @return whether it was opened
    [[nodiscard]] bool openSession(const QString& path) {
        QSignalSpy opened(&sessions, &vm::SessionViewModel::opened);
        sessions.open(path);
        return rests() && opened.size() == 1;
    }
};

} // namespace pollard::testing
