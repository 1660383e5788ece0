#pragma once

#include "widgets/transport_bar.hpp"

namespace pollard::vm {
class LabPlayerViewModel;
}

namespace pollard::app {

/// Playback controls for a recorded algorithm.
class LabTransport : public TransportBar {
    Q_OBJECT

public:
    /// @param player must outlive this
    explicit LabTransport(vm::LabPlayerViewModel& player, QWidget* parent = nullptr);

private:
    void showState();

    vm::LabPlayerViewModel& player_;
};

} // namespace pollard::app
