#pragma once

#include "chain_view_model.hpp"
#include "contour_export.hpp"
#include "contour_view_model.hpp"
#include "display_view_model.hpp"
#include "document_services.hpp"
#include "document_view_model.hpp"
#include "earlier_filters.hpp"
#include "edit_history.hpp"
#include "filter_view_model.hpp"
#include "folder_sizes.hpp"
#include "histogram_view_model.hpp"
#include "leave_view_model.hpp"
#include "limits_view_model.hpp"
#include "look_memory.hpp"
#include "node_export.hpp"
#include "node_selection.hpp"
#include "object_export.hpp"
#include "object_table_model.hpp"
#include "object_tracks_view_model.hpp"
#include "objects_view_model.hpp"
#include "overlays_view_model.hpp"
#include "picture_map.hpp"
#include "pixel_size_view_model.hpp"
#include "presentation_view_model.hpp"
#include "probe_view_model.hpp"
#include "recent_files_model.hpp"
#include "region_view_model.hpp"
#include "session_view_model.hpp"
#include "settings_view_model.hpp"
#include "stack_view_model.hpp"
#include "value_range_view_model.hpp"

#include <QSettings>

namespace pollard::app {

/// All view-models of one window, in the order they depend on each other.
struct Models {
    /// @param settingsStore must outlive this
    Models(vm::DocumentServices services, QSettings& settingsStore);

    /// Opens a picture or a session, after a question where work would be lost.
    void openFile(const QString& path);

    QSettings& store; ///< for what is asked in dialogs
    vm::SettingsViewModel settings;
    vm::RecentFilesModel recentFiles;
    vm::LimitsViewModel limits;
    vm::LookMemory looks;
    vm::FolderSizes folderSizes;
    vm::DocumentViewModel document;
    vm::StackViewModel stack;
    vm::ValueRangeViewModel valueRange;
    vm::DisplayViewModel display;
    vm::FilterViewModel filter;
    vm::HistogramViewModel histogram;
    vm::ProbeViewModel probe;
    vm::PictureMap map;
    vm::ChainViewModel chain;
    vm::NodeSelection selection;
    vm::NodeExport nodeExport;
    vm::PresentationViewModel presentation;
    vm::OverlaysViewModel overlays;
    vm::RegionViewModel region;
    vm::ObjectsViewModel objects;
    vm::ObjectTableModel objectTable;
    vm::ObjectExport objectExport;
    vm::ObjectTracksViewModel objectTracks;
    vm::ContourViewModel contours;
    vm::ContourExport contourExport;
    vm::EditHistory history;
    vm::PixelSizeViewModel pixelSize;
    vm::EarlierFilters earlier;
    vm::SessionViewModel sessions;
    vm::LeaveViewModel leave;

private:
    void startFromSettings();
    void applyLimits();
    void applyMotion();
    void rememberChanges();
};

} // namespace pollard::app
