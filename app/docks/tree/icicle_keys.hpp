#pragma once

class QKeyEvent;

namespace pollard::vm {
class ChainViewModel;
class IcicleViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// Whether the views of the tree handle a key, even if it is a shortcut of the window.
[[nodiscard]] bool isIcicleKey(const QKeyEvent& event);

/// Arrows go to the parent, the first child and the siblings of the held component, Return zooms to it, Escape releases
/// it; Backspace goes back, Home shows the whole tree; plus and minus zoom along areas.
/// @returns false if the key is not handled
bool pressIcicleKey(vm::IcicleViewModel& icicle, vm::ChainViewModel& chain, int key);

} // namespace pollard::app
