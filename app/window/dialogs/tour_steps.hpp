#pragma once

#include <QString>

#include <functional>
#include <vector>

class QMainWindow;
class QWidget;

namespace pollard::app {

struct Models;

/// A step of the tour: a control, its purpose, and the action to take.
struct TourStep {
    QString title;
    QString text;
    const char* workspace = nullptr;    ///< shown when the step begins; null for the present one
    std::function<QWidget*()> part;     ///< the control; may be null or hidden
    std::function<void()> act{};        ///< does it instead of the user; empty if there is nothing to do
    std::function<bool()> isPossible{}; ///< whether act() can be called now
    std::function<bool()> isDone{};     ///< by the user or by act()
    bool waits = false;                 ///< ends only when the action is done, automatically
    std::function<void()> leave{};      ///< called when the step ends; may be empty
};

/// The job of the tour: small components are removed from the open image, the removed part is shown, the objects are
/// counted. Without an image it begins with opening one.
/// @param window,models must outlive the steps
[[nodiscard]] std::vector<TourStep> tourSteps(QMainWindow& window, Models& models);

} // namespace pollard::app
