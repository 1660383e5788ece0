#pragma once

class QKeyEvent;

namespace pollard::vm {
class ChainViewModel;
class IcicleViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Whether a key means something to the views of the tree, whatever shortcut of the window it is.
[[nodiscard]] bool isIcicleKey(const QKeyEvent& event);

/// Arrows go to the parent, the first child and the siblings of the component that is held, Return goes into it, Escape
/// lets it go; Backspace goes back, Home to all; plus and minus zoom along areas.
/// @returns false if the key means nothing
bool pressIcicleKey(vm::IcicleViewModel& icicle, vm::ChainViewModel& chain, int key);

} // namespace pollard::app
