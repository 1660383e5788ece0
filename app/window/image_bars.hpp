#pragma once

#include "widgets/image_bar.hpp"

namespace pollard::vm {
class StaleFilter;
class EarlierFilters;
class EmptyResult;
} // namespace pollard::vm

namespace pollard::app {

class Actions;
struct Models;

/// A bar over the image with buttons to keep or clear the filter carried over from another image. All must outlive
/// it.
[[nodiscard]] ImageBar* makeStaleFilterBar(vm::StaleFilter& carried, vm::EarlierFilters& earlier, QWidget& picture);

/// A bar over a result without contents, with its reason and buttons against it. Hidden while a carried filter is
/// noticed. All must outlive it.
[[nodiscard]] ImageBar* makeEmptyResultBar(vm::EmptyResult& empty, vm::StaleFilter& carried,
                                           vm::EarlierFilters& earlier, QWidget& picture);

/// A bar over a reduced version of an image, a part with a filter, or a part of an overview, with buttons for the
/// exact filter of the visible region or the whole image, the way back and other levels. All must outlive it.
[[nodiscard]] ImageBar* makePreviewBar(Models& models, const Actions& actions, QWidget& picture);

} // namespace pollard::app
