#include "attributes/stability.hpp"

#include "attributes/formulas.hpp"
#include "cpu/parallel.hpp"
#include "cpu/tree_sweeps.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

namespace pollard {

Buffer<std::uint32_t> ancestorsWithin(const ComponentTree& tree, std::uint16_t delta, const JobControl& control) {
    const std::size_t n = tree.nodeCount();
    Buffer<std::uint32_t> found(n);
    const std::size_t block = cpu::kSweepBlock;
    cpu::forEachIndex((n + block - 1) / block, control,
                      [&](std::size_t b) {
                          const std::size_t begin = b * block;
                          const std::size_t end = std::min(n, begin + block);
                          // The path from the root to the node at hand.
                          std::vector<std::uint32_t> path;
                          if (begin != 0) {
                              for (std::uint32_t i = tree.parent[begin];; i = tree.parent[i]) {
                                  path.push_back(i);
                                  if (i == 0) {
                                      break;
                                  }
                              }
                              std::reverse(path.begin(), path.end());
                          }
                          for (std::size_t i = begin; i != end; ++i) {
                              while (!path.empty() && tree.subtreeEnd[path.back()] <= i) {
                                  path.pop_back();
                              }
                              path.push_back(static_cast<std::uint32_t>(i));
                              const auto near = [&](std::size_t place) {
                                  return std::abs(tree.level[path[place]] - tree.level[i]) <= delta;
                              };
                              // Levels change strictly along the path: double the step until one is too far, then
                              // halve.
                              std::size_t inside = path.size() - 1;
                              std::size_t step = 1;
                              while (step <= inside && near(inside - step)) {
                                  inside -= step;
                                  step *= 2;
                              }
                              for (step = std::min(step, inside + 1); step > 0; step /= 2) {
                                  while (step <= inside && near(inside - step)) {
                                      inside -= step;
                                  }
                              }
                              found[i] = path[inside];
                          }
                      },
                      1);
    return found;
}

Buffer<double> stabilitiesOf(const ComponentTree& tree, std::span<const std::uint32_t> area, std::uint16_t delta,
                             const JobControl& control) {
    const Buffer<std::uint32_t> ancestor = ancestorsWithin(tree, delta, control);
    Buffer<double> out(tree.nodeCount());
    cpu::forEachIndex(out.size(), control, [&](std::size_t i) {
        out[i] = ancestor[i] == i ? std::numeric_limits<double>::quiet_NaN() : stabilityOf(area[i], area[ancestor[i]]);
    });
    return out;
}

} // namespace pollard
