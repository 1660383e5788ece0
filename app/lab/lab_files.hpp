#pragma once

#include <QList>

class QAction;

namespace pollard::app {

class ErrorPresenter;
class LabWindow;
struct Models;

/// Actions that write what the lab shows: a drawing of the state, a picture of every state, an animation.
/// All must outlive the window.
[[nodiscard]] QList<QAction*> makeLabFileActions(LabWindow& window, Models& models, ErrorPresenter& errors);

} // namespace pollard::app
