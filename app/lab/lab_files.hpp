#pragma once

#include <QList>

class QAction;

namespace pollard::app {

class ErrorPresenter;
class LabWindow;
struct Models;

/// Actions that save a drawing of the state, an image of every state, or an animation.
/// All must outlive the window.
[[nodiscard]] QList<QAction*> makeLabFileActions(LabWindow& window, Models& models, ErrorPresenter& errors);

} // namespace pollard::app
