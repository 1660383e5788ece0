#pragma once

#include "vm/batch/chunk_filter_view_model.hpp"
#include "vm/batch/object_tracks_view_model.hpp"
#include "vm/batch/overview.hpp"
#include "vm/contour/contour_export.hpp"
#include "vm/contour/contour_view_model.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/histogram_view_model.hpp"
#include "vm/display/look_store.hpp"
#include "vm/display/orthogonal_view_model.hpp"
#include "vm/display/presentation_view_model.hpp"
#include "vm/display/rendering_view_model.hpp"
#include "vm/display/value_range_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_map.hpp"
#include "vm/document/jobs/job_types.hpp"
#include "vm/document/stack_view_model.hpp"
#include "vm/filter/filter_view_model.hpp"
#include "vm/image/world_scale.hpp"
#include "vm/labels/label_edit_view_model.hpp"
#include "vm/labels/score_view_model.hpp"
#include "vm/objects/object_export.hpp"
#include "vm/objects/object_table_model.hpp"
#include "vm/objects/objects_view_model.hpp"
#include "vm/recipe/earlier_filters.hpp"
#include "vm/recipe/operator_view_model.hpp"
#include "vm/region/region_view_model.hpp"
#include "vm/region/stain_picks.hpp"
#include "vm/session/edit_history.hpp"
#include "vm/session/leave_view_model.hpp"
#include "vm/session/pixel_size_view_model.hpp"
#include "vm/session/session_view_model.hpp"
#include "vm/settings/limits_view_model.hpp"
#include "vm/settings/recent_files_model.hpp"
#include "vm/settings/settings_view_model.hpp"
#include "vm/tree/chain_view_model.hpp"
#include "vm/tree/node_selection.hpp"
#include "vm/tree/tree_export.hpp"

#include <QSettings>

namespace pollard::app {

/// All view-models of a window, in the order of dependencies.
struct Models {
    /// @param settingsStore must outlive this
    Models(vm::DocumentServices services, QSettings& settingsStore);

    /// Opens an image, the first well of a plate, or a session; asks first if work would be lost.
    void openFile(const QString& path);
    /// Lets file dialogs start in the folder of an image, unless the image is the copy of a sample.
    void followFolder(const QString& image);

    QSettings& store; ///< for settings of dialogs
    vm::SettingsViewModel settings;
    vm::RecentFilesModel recentFiles;
    vm::LimitsViewModel limits;
    vm::LookStore looks;
    vm::FolderSizes folderSizes;
    vm::DocumentViewModel document;
    vm::StackViewModel stack;
    vm::ValueRangeViewModel valueRange;
    vm::DisplayViewModel display;
    vm::FilterViewModel filter;
    vm::ChunkFilterViewModel chunkFilter;
    vm::Overview overview;
    vm::HistogramViewModel histogram;
    vm::ProbeViewModel probe;
    vm::ImageMap map;
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
    vm::LabelEditViewModel labelEdits;
    vm::ScoreViewModel score;
    vm::ContourViewModel contours;
    vm::ContourExport contourExport;
    vm::EditHistory history;
    vm::PixelSizeViewModel pixelSize;
    vm::EarlierFilters earlier;
    vm::OperatorViewModel operators;
    vm::OrthogonalViewModel orthogonal;
    vm::RenderingViewModel rendering;
    vm::SessionViewModel sessions;
    vm::LeaveViewModel leave;
    vm::StainPicks stains;

private:
    void startFromSettings();
    void applyLimits();
    void applyMotion();
    /// Passes the filtered images of channels that are not open any more to the composite.
    void showFilteredChannels();
    void rememberChanges();
};

} // namespace pollard::app
