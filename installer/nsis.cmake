# Settings of CPack's NSIS generator. Backslashes and quotes reach NSIS as they stand (CPACK_VERBATIM_VARIABLES).
set(CPACK_PACKAGE_INSTALL_DIRECTORY Pollard)
set(CPACK_PACKAGE_EXECUTABLES pollard Pollard)
set(CPACK_CREATE_DESKTOP_LINKS pollard)
set(CPACK_NSIS_DISPLAY_NAME Pollard)
set(CPACK_NSIS_PACKAGE_NAME Pollard)
set(CPACK_NSIS_MUI_ICON ${icons}/pollard.ico)
set(CPACK_NSIS_MUI_UNIICON ${icons}/pollard.ico)
set(CPACK_NSIS_INSTALLED_ICON_NAME "bin\\pollard.exe")
set(CPACK_NSIS_ENABLE_UNINSTALL_BEFORE_INSTALL ON)
set(CPACK_NSIS_MODIFY_PATH ON) # a question whether to add pollard-cli to PATH

# Sessions open with a double click; SHCTX is the person or all of them, as chosen.
set(CPACK_NSIS_EXTRA_INSTALL_COMMANDS [[
  WriteRegStr SHCTX "Software\Classes\.pollard" "" "Pollard.Session"
  WriteRegStr SHCTX "Software\Classes\Pollard.Session" "" "Pollard session"
  WriteRegStr SHCTX "Software\Classes\Pollard.Session\DefaultIcon" "" "$INSTDIR\bin\pollard.exe,0"
  WriteRegStr SHCTX "Software\Classes\Pollard.Session\shell\open\command" "" '"$INSTDIR\bin\pollard.exe" "%1"'
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, i 0, i 0)'
]])
set(CPACK_NSIS_EXTRA_UNINSTALL_COMMANDS [[
  DeleteRegKey SHCTX "Software\Classes\.pollard"
  DeleteRegKey SHCTX "Software\Classes\Pollard.Session"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, i 0, i 0)'
]])
