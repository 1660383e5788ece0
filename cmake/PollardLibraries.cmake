# Libraries of the rooms, and of the tests and benchmarks: sets POLLARD_WITH_TESTS and POLLARD_WITH_BENCH.

pollard_require(TBB TBB::tbb tbb/parallel_for.h libtbb-dev)
pollard_require(nlohmann_json nlohmann_json::nlohmann_json nlohmann/json.hpp nlohmann-json3-dev)
if(NOT POLLARD_PYTHON_ALONE)
  pollard_require(CLI11 CLI11::CLI11 CLI/CLI.hpp libcli11-dev)
endif()

pollard_wish(BUILD_TESTS "Build the tests")
set(missing)
if(POLLARD_BUILD_TESTS OR POLLARD_BUILD_FUZZ)
  pollard_find(missing GTest GTest::gmock_main "gtest/gtest.h;gmock/gmock.h" "libgtest-dev libgmock-dev")
endif()
if(POLLARD_BUILD_FUZZ)
  pollard_need("${missing}")
endif()
pollard_decide(BUILD_TESTS "Tests" "with GoogleTest" "not built" "${missing}")

pollard_wish(BUILD_BENCH "Build the benchmarks")
set(missing)
if(POLLARD_BUILD_BENCH)
  pollard_find(missing benchmark benchmark::benchmark benchmark/benchmark.h libbenchmark-dev)
endif()
pollard_decide(BUILD_BENCH "Benchmarks" "with Google Benchmark" "not built" "${missing}")

if(POLLARD_BUILD_APP)
  # Each with a header and Debian's package.
  set(qt_components Core QObject qt6-base-dev Gui QImage "qt6-base-dev libgl-dev" Widgets QWidget qt6-base-dev
    PrintSupport QPrinter qt6-base-dev
    OpenGL QOpenGLBuffer libqt6opengl6-dev Charts QChart qt6-charts-dev Svg QSvgRenderer qt6-svg-dev)
  if(POLLARD_WITH_TESTS)
    list(APPEND qt_components Test QSignalSpy qt6-base-dev)
  endif()
  set(reasons)
  while(qt_components)
    list(POP_FRONT qt_components component header debian)
    pollard_find(missing Qt6 Qt6::${component} ${header} ${debian} 6.4 OPTIONAL_COMPONENTS ${component})
    list(APPEND reasons ${missing})
    if(missing AND component MATCHES "Core|Gui")
      break() # The others need it.
    endif()
  endwhile()
  if(reasons)
    list(JOIN reasons ", " reasons)
    pollard_need("${reasons} (POLLARD_BUILD_APP=OFF leaves out the window, which needs Qt 6.4)")
  endif()
endif()
