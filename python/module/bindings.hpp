#pragma once

#include <pybind11/pybind11.h>

namespace pollard::python {

/// The class Job, and the exception Cancelled.
void bindJobs(pybind11::module_& module);
/// The class MaxTree.
void bindMaxTree(pybind11::module_& module);
/// Tables as streams of Arrow.
void bindArrowStreams(pybind11::module_& module);
/// The class ChunkTasks.
void bindChunkTasks(pybind11::module_& module);
/// The class DeviceArray.
void bindDeviceArrays(pybind11::module_& module);
/// Objects of a mask and their features.
void bindObjects(pybind11::module_& module);
/// Recipes and presets.
void bindRecipes(pybind11::module_& module);
/// Distance transform, watershed and the splitting of objects.
void bindSegmentation(pybind11::module_& module);
/// Operators that make an image from an image.
void bindOperators(pybind11::module_& module);
/// Hierarchies of regions.
void bindHierarchies(pybind11::module_& module);
/// The region snake.
void bindSnake(pybind11::module_& module);
/// The class ValueMapping.
void bindValueMappings(pybind11::module_& module);

} // namespace pollard::python
