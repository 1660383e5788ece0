#pragma once

#include "vm/tree/icicle_frame.hpp"

#include <QPalette>
#include <QWidget>

namespace pollard::vm {
class IcicleViewModel;
}

namespace pollard::app {

/// Colours of an icicle on this background: viridis, and pale grey for nodes removed by the filter.
[[nodiscard]] vm::IciclePalette iciclePalette(const QPalette& palette);

/// Colour scale of an icicle from the smallest to the largest value, with both values.
class IcicleLegend : public QWidget {
    Q_OBJECT

public:
    /// @param icicle must outlive this
    explicit IcicleLegend(vm::IcicleViewModel& icicle, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] int textWidth() const; ///< of the wider value, px

    vm::IcicleViewModel& icicle_;
};

} // namespace pollard::app
