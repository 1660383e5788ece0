#pragma once

#include "vm/tree/icicle_frame.hpp"

#include <QPalette>
#include <QWidget>

namespace pollard::vm {
class IcicleViewModel;
}

namespace pollard::app {

/// Colours of an icicle on this ground: viridis, and what the filter removes in pale grey.
[[nodiscard]] vm::IciclePalette iciclePalette(const QPalette& palette);

/// The colours of an icicle from the smallest value to the largest, with both values.
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
