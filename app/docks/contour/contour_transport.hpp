#pragma once

#include "widgets/transport_bar.hpp"

namespace pollard::vm {
class ContourViewModel;
}

namespace pollard::app {

/// Playback controls for the states of a contour.
class ContourTransport : public TransportBar {
    Q_OBJECT

public:
    /// @param contours must outlive this
    explicit ContourTransport(vm::ContourViewModel& contours, QWidget* parent = nullptr);

private:
    void showState();

    vm::ContourViewModel& contours_;
};

} // namespace pollard::app
