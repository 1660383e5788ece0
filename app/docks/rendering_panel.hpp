#pragma once

#include "canvas/rendering_view.hpp"

#include <QLabel>
#include <QStackedWidget>
#include <QWidget>

class QComboBox;

namespace pollard::vm {
class Analysis;
class HistogramViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// The 3D view of a volume with its controls.
class RenderingPanel : public QWidget {
    Q_OBJECT

public:
    /// @param models,histogram must outlive this
    RenderingPanel(const RenderingView::ViewModels& models, vm::HistogramViewModel& histogram,
                   QWidget* parent = nullptr);

    [[nodiscard]] const vm::Analysis& analysis() const noexcept;
    /// The panel shows only its controls while the view is elsewhere.
    void setViewElsewhere(bool elsewhere);

private:
    QLayout* makeControls();
    QWidget* makePresets();
    void showPresets();
    void showState();

    RenderingView::ViewModels models_;
    QStackedWidget* pages_ = nullptr; ///< the view, and the reason why there is none
    RenderingView* view_ = nullptr;
    QWidget* controls_ = nullptr;
    QWidget* opacity_ = nullptr;
    QComboBox* presets_ = nullptr;
    QWidget* shading_ = nullptr;
    QWidget* curve_ = nullptr;
    QLabel* reason_ = nullptr;
    QLabel* size_ = nullptr;
    bool isElsewhere_ = false;
};

} // namespace pollard::app
