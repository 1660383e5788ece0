#pragma once

#include <QImage>
#include <QWidget>

namespace pollard::vm {
class DisplayViewModel;
class InspectorViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Thumbnail of the inspected component in the colours of the display, with the component marked.
class ComponentPicture : public QWidget {
    Q_OBJECT

public:
    /// @param inspector,display must outlive this
    ComponentPicture(vm::InspectorViewModel& inspector, vm::DisplayViewModel& display, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void colour();

    vm::InspectorViewModel& inspector_;
    vm::DisplayViewModel& display_;
    QImage picture_;
};

} // namespace pollard::app
