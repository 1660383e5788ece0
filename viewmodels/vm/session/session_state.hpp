#pragma once

#include "vm/display/compare_view_model.hpp"
#include "vm/display/composite_view_model.hpp"
#include "vm/image/open_request.hpp"

#include "session/session.hpp"

#include <QString>

#include <vector>

namespace pollard::vm {

class DisplayViewModel;
class OrthogonalViewModel;
class RenderingViewModel;

// Conversions between the names of sessions and those of the window.

[[nodiscard]] SessionView sessionOf(const DisplayViewModel& display);
/// Empty while the composite is off.
[[nodiscard]] std::vector<SessionLayer> sessionOf(const CompositeViewModel& composite);
[[nodiscard]] SessionVolume sessionOf(const OrthogonalViewModel& orthogonal, const RenderingViewModel& rendering);
[[nodiscard]] ReadStep readStepOf(const OpenRequest& request);

[[nodiscard]] OpenRequest requestOf(const ReadStep& step, const QString& path);
/// Stores how an image is read, without `at`.
void store(const OpenRequest& request, SessionImage& image);
[[nodiscard]] OpenRequest requestOf(const SessionImage& image, const QString& path);

/// @throws Error(invalidArgument) naming place and value of an unknown entry
[[nodiscard]] CompareViewModel::Mode compareOf(const SessionView& view);
/// @throws Error(invalidArgument)
[[nodiscard]] CompositeViewModel::NamedLooks looksOf(const std::vector<SessionLayer>& layers);
/// Turns the composite of an image with several channels on with these looks; off without. @param layers accepted by
/// looksOf()
void show(const std::vector<SessionLayer>& layers, CompositeViewModel& composite);
/// Applies the view of a session. @param view accepted by lookOf() and compareOf()
void show(const SessionView& view, DisplayViewModel& display);
void show(const SessionVolume& volume, OrthogonalViewModel& orthogonal, RenderingViewModel& rendering);

} // namespace pollard::vm
