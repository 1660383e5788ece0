#pragma once

#include "canvas/rendering_view.hpp"

#include <QLabel>
#include <QStackedWidget>
#include <QWidget>

namespace pollard::vm {
class Analysis;
} // namespace pollard::vm

namespace pollard::app {

/// The 3D view of a volume with its controls.
class RenderingPanel : public QWidget {
    Q_OBJECT

public:
    /// @param models must outlive this
    explicit RenderingPanel(const RenderingView::ViewModels& models, QWidget* parent = nullptr);

    [[nodiscard]] const vm::Analysis& analysis() const noexcept;

private:
    QLayout* makeControls();
    void showState();

    RenderingView::ViewModels models_;
    QStackedWidget* pages_ = nullptr; ///< the view, and the reason why there is none
    RenderingView* view_ = nullptr;
    QWidget* controls_ = nullptr;
    QWidget* opacity_ = nullptr;
    QLabel* reason_ = nullptr;
    QLabel* size_ = nullptr;
};

} // namespace pollard::app
