# The installer for Windows, by CPack's NSIS generator, and the icon of the program there.
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/pollard.rc "1 ICON \"${icons}/pollard.ico\"\n")
if(TARGET pollard)
  enable_language(RC)
  target_sources(pollard PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/pollard.rc)
  set_target_properties(pollard PROPERTIES WIN32_EXECUTABLE ON)
  # Qt's libraries and plugins go beside the program.
  qt_generate_deploy_app_script(TARGET pollard OUTPUT_SCRIPT deploy_script NO_UNSUPPORTED_PLATFORM_ERROR)
  install(SCRIPT ${deploy_script})
endif()

set(CPACK_GENERATOR NSIS ZIP)
include(${CMAKE_CURRENT_LIST_DIR}/nsis.cmake)
